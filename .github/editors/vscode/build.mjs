// Bundles the extension, and collects the licenses of what is in the bundle.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
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
const own = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => read("../../..", name));
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
writeFileSync("LICENSE.txt", [`${choice}\n`, ...own, ...others].join(rule));
