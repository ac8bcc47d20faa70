#!/bin/sh
# The shells whose completion tests drive, beside bash: installs Debian's where they are missing and apt-get may. Elsewhere the tests say
# what is missing.
set -eu
missing=
for name in zsh fish; do
  command -v "$name" >/dev/null 2>&1 || missing="$missing $name"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # names of packages
  apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing && exit 0
fi
echo "scripts/shells.sh: no$missing on PATH, and it cannot be installed from here: install it to test completion." >&2
