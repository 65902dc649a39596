import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds without a change after which changes are reported: editors write a file in several steps. */
const QUIET_MS = 40;

export interface TreeWatch {
  close(): void;
}

/**
 * Watches folders and everything below them, also folders that appear later. Calls `onChange` with the paths of files that were
 * written, created or deleted. One watcher a folder: `fs.watch` with `recursive` loses files on Linux that an editor replaces
 * by renaming (Node 20).
 */
export function watchTree(folders: readonly string[], onChange: (paths: readonly string[]) => void): TreeWatch {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function report(path: string): void {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed];
      changed.clear();
      onChange(paths);
    }, QUIET_MS);
  }

  function onEvent(path: string): void {
    if (isFolder(path)) add(path, true);
    else {
      // A deleted folder may come back under the same name.
      watchers.get(path)?.close();
      watchers.delete(path);
      report(path);
    }
  }

  /** `isNew`: its files may have been written before it was watched, so they count as changed. */
  function add(folder: string, isNew: boolean): void {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) onEvent(join(folder, name));
    });
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) add(path, isNew);
      else if (isNew) report(path);
    }
  }

  for (const folder of folders) add(folder, false);
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
