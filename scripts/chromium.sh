#!/bin/sh
# The browser that tests of exported pages need: installs Debian's where none is there and apt-get may. Elsewhere it says what is missing,
# and the tests say it again.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium && exit 0
fi
echo 'scripts/chromium.sh: no Chromium on PATH, and it cannot be installed from here: install it to test exported pages.' >&2
