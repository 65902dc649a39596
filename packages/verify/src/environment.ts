/** Effects of the process that the verifier uses; tests replace them. */
export interface VerifyEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Real time in seconds since 1970. */
  nowSeconds(): number;
  waitMs(ms: number): Promise<void>;
  /** Asks the person at the terminal. False where nobody is there. */
  confirm(question: string): Promise<boolean>;
  print(text: string): void;
}
