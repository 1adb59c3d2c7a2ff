// Whether the browser lets us send notices. It may be asked once; after that its owner decides elsewhere.

class Permission {
  readonly possible = "Notification" in globalThis;
  now = $state<NotificationPermission>(this.possible ? Notification.permission : "denied");

  constructor() {
    if (!this.possible) return;
    document.addEventListener("visibilitychange", this.look);
    navigator.permissions
      ?.query({ name: "notifications" })
      .then((status) => status.addEventListener("change", this.look))
      .catch(() => {}); // a browser without this event: we look when the page is seen again
  }

  look = (): void => void (this.now = this.possible ? Notification.permission : "denied");

  /** Ask, if there was no answer yet. */
  async ask(): Promise<NotificationPermission> {
    if (this.possible && this.now === "default") await Notification.requestPermission();
    this.look();
    return this.now;
  }
}

export const permission = new Permission();
