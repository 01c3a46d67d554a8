#!/bin/bash
# Counts the words of a few files that every machine has.
set -euo pipefail
for file in /etc/passwd /etc/group /etc/fstab; do
  [[ -r $file ]] && wc -w "$file"
done
sleep 3
