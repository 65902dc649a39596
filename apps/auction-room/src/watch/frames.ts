/** One frame of an event stream. `id` is what a browser sends back when it connects again. */
export function eventFrame(event: 'state' | 'time' | 'mine' | 'bye', data: unknown, id?: number): Buffer {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`);
}
