// Something that happens from time to time, for code that waits for it.

export class Signal {
  private resolve!: () => void;
  private promise!: Promise<void>;

  constructor() {
    this.reset();
  }

  /** Resolved when it happens next. */
  next(): Promise<void> {
    return this.promise;
  }

  emit(): void {
    const { resolve } = this;
    this.reset();
    resolve();
  }

  private reset(): void {
    this.promise = new Promise((resolve) => (this.resolve = resolve));
  }
}
