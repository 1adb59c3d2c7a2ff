// What this device remembers: a nickname, seats by their tokens, and how one likes to play.

export interface SeatHeld {
  table: string;
  token: string;
  game: string;
  at: number; // when it was taken or last looked at
}

export interface Settings {
  name: string;
  language: "" | "en" | "fr"; // "": as the browser says
  theme: "" | "light" | "dark"; // "": as the system says
  sounds: boolean;
  confirm: boolean; // ask before a move is sent
  risk: boolean; // tell how risky another roll is
  notify: boolean;
  textBoard: boolean;
}

const DEFAULTS: Settings = {
  name: "",
  language: "",
  theme: "",
  sounds: false,
  confirm: false,
  risk: false,
  notify: false,
  textBoard: false,
};

const MOST_SEATS = 50;

function read<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`benben.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`benben.${key}`, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the seat's private link still works.
  }
}

class Device {
  settings = $state<Settings>({ ...DEFAULTS, ...read<Partial<Settings>>("settings", {}) });
  seats = $state<SeatHeld[]>(read("seats", []));
  muted = $state<string[]>(read("muted", [])); // "table:seat"

  constructor() {
    addEventListener("storage", (event) => {
      // Another tab has changed something.
      if (event.key === "benben.seats") this.seats = read("seats", []);
      if (event.key === "benben.settings") this.settings = { ...DEFAULTS, ...read("settings", {}) };
    });
  }

  save(): void {
    write("settings", this.settings);
    write("muted", this.muted.slice(-200));
  }

  tokensAt(table: string): string[] {
    return this.seats.filter((seat) => seat.table === table).map((seat) => seat.token);
  }

  hold(table: string, token: string, game: string): void {
    const others = read<SeatHeld[]>("seats", []).filter((seat) => seat.token !== token);
    this.seats = [...others, { table, token, game, at: Date.now() }].slice(-MOST_SEATS);
    write("seats", this.seats);
  }

  letGo(token: string): void {
    this.seats = read<SeatHeld[]>("seats", []).filter((seat) => seat.token !== token);
    write("seats", this.seats);
  }

  mute(table: string, seat: number): void {
    const key = `${table}:${seat}`;
    this.muted = this.muted.includes(key) ? this.muted.filter((k) => k !== key) : [...this.muted, key];
    this.save();
  }
}

export const device = new Device();
