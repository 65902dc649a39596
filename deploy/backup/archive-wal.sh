#!/bin/sh
# archive_command of PostgreSQL: archive-wal.sh %p %f <folder>. PostgreSQL tries again until it ends with 0, and keeps the segment meanwhile.
# A segment that is there already succeeds if it is equal (PostgreSQL may repeat after a crash), and is never replaced.
set -eu
segment=$1
name=$2
folder=$3

if [ -e "$folder/$name" ]; then
  exec cmp -s "$segment" "$folder/$name"
fi
# Renamed when it is on the disk, so that no restore reads a part of it.
cp "$segment" "$folder/.$name.part"
sync "$folder/.$name.part"
mv "$folder/.$name.part" "$folder/$name"
sync "$folder"
