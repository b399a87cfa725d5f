// Bundles the extension, and collects the licenses of what is in the bundle.

import { build } from "esbuild";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const bundle = await build({
  entryPoints: ["extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  metafile: true,
});

const read = (...path) => readFileSync(join(...path), "utf8");
// They are at the top of the repository; a copy of this folder builds as well, but may not be passed on.
const own = ["LICENSE-MIT", "LICENSE-APACHE"]
  .map((name) => [".", "../../.."].map((folder) => join(folder, name)).find(existsSync))
  .filter(Boolean);
if (own.length === 0) {
  console.warn("LICENSE-MIT and LICENSE-APACHE are not here: add them before you pass the extension on");
}
const folders = Object.keys(bundle.metafile.inputs).map(
  (path) => path.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1],
);
const others = [...new Set(folders)].filter(Boolean).sort().map((folder) => {
  const { name, version } = JSON.parse(read(folder, "package.json"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) {
    throw new Error(`${folder} has no license`);
  }
  return `This extension contains ${name} ${version}:\n\n${read(folder, file)}`;
});
const choice = "urlint is licensed under either of the following licenses, at your option.";
const rule = `\n${"-".repeat(72)}\n\n`;
writeFileSync("LICENSE.txt", [`${choice}\n`, ...own.map((file) => read(file)), ...others].join(rule));
