import "@fontsource/alegreya-sans/latin-400.css";
import "@fontsource/alegreya-sans/latin-700.css";
import "@fontsource/spline-sans-mono/latin-500.css";
import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { watchTurns } from "./lib/turns.ts";
import { words } from "./lib/words.svelte.ts";

await words.load();
mount(App, { target: document.getElementById("app")! });
watchTurns();
