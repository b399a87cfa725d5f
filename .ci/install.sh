#!/bin/sh
# Installs the command urlint from a release, after a check of its hash:
#
#     curl -fsSL REPOSITORY/releases/download/vVERSION/install.sh | sh
#
# URLINT_FOLDER is the folder to install to, ~/.local/bin by default, URLINT_VERSION another version, and
# URLINT_REPOSITORY another address, such as that of a mirror.
set -eu

fail() {
    echo "urlint: $*" >&2
    exit 1
}

# Usage: download ADDRESS FILE
#
# From an address of HTTPS, no redirect leads to one without: the hash would come the same way.
download() {
    protocols=https
    case $1 in http:* | file:*) protocols=http,https,file ;; esac
    if command -v curl >/dev/null; then
        curl --proto "=$protocols" --proto-redir "=$protocols" --tlsv1.2 \
            --fail --silent --show-error --location --retry 3 --output "$2" "$1"
    elif [ "$protocols" = https ]; then
        fail "curl is needed: wget follows redirects to addresses without HTTPS"
    else
        wget --quiet --output-document "$2" "$1"
    fi || fail "could not download $1"
}

# In a function, so that nothing runs if only a part of this script arrives.
main() {
    # .ci/archive fills these in from Cargo.toml.
    repository=${URLINT_REPOSITORY:-@repository@}
    version=${URLINT_VERSION:-@version@}
    folder=${URLINT_FOLDER:-$HOME/.local/bin}

    system=$(uname -s) machine=$(uname -m)
    case $system-$machine in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc ;;
    *) fail "there is no binary for $system on $machine" ;;
    esac

    scratch=$(mktemp -d)
    # Not every shell runs the first one after a signal.
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' HUP INT TERM
    name=urlint-$target
    for file in SHA256SUMS "$name.tgz"; do
        download "$repository/releases/download/v$version/$file" "$scratch/$file"
    done
    (
        cd "$scratch"
        grep "[ *]$name.tgz\$" SHA256SUMS >expected || fail "SHA256SUMS does not name $name.tgz"
        if command -v sha256sum >/dev/null; then
            sha256sum -c expected
        else
            shasum -a 256 -c expected
        fi >/dev/null 2>&1 || fail "the hash of $name.tgz is not that of SHA256SUMS"
        tar xzf "$name.tgz"
        "$name/urlint" --version >/dev/null || fail "the binary for $target does not run here"
    )
    mkdir -p "$folder"
    mv "$scratch/$name"/urlint* "$folder/"
    echo "installed urlint $version to $folder" >&2
    case :$PATH: in
    *":$folder:"*) ;;
    *) echo "add $folder to PATH" >&2 ;;
    esac
}

main
