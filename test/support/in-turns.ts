/** Acts on every item, on so many at a time. */
export async function inTurns<T>(
  items: Iterable<T>,
  atATime: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
