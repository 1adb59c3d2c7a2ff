// What is said to those who listen to a page. There are two regions for each manner, used in turn: a
// screen reader speaks when a region changes, so the same words in the same region would be heard once.

export type Manner = "polite" | "assertive";

const APART = 150; // ms between two announcements, so that the second does not replace the first unheard
const MOST = 6; // that wait: what is older is no longer news

/** One manner of speaking. Its two texts are shown in live regions; at most one of them is not empty. */
class Voice {
  texts = $state<[string, string]>(["", ""]);
  private waiting: string[] = [];
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    if (!text) return;
    this.waiting = [...this.waiting, text].slice(-MOST);
    this.timer ??= setTimeout(() => this.next(), 0); // what is said at once is said together
  }

  private next(): void {
    const text = this.waiting.join(" ");
    this.waiting = [];
    if (!text) {
      this.timer = undefined;
      return;
    }
    this.turn = 1 - this.turn;
    this.texts = this.turn === 0 ? [text, ""] : ["", text];
    this.timer = setTimeout(() => this.next(), APART);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    this.texts = ["", ""];
  }
}

export class Announcer {
  readonly polite = new Voice();
  readonly assertive = new Voice();

  /** Have something said: when there is a pause, or at once. */
  say(text: string, manner: Manner = "polite"): void {
    this[manner].say(text);
  }

  /** What has not been said is not said any more. */
  stop(): void {
    this.polite.stop();
    this.assertive.stop();
  }
}

export const announcer = new Announcer();
