import "./fonts/fonts.css";
import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { sleep } from "$core/http/api.ts";
import { watchTurns } from "$core/tables/turn-notices.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { reportUncaught } from "./uncaught.ts";

const MOST = 1_500; // ms to wait for the words of another language

reportUncaught();
// Pages are there in English if the words of another language do not come; those are tried again.
await Promise.race([words.load(), sleep(MOST).then(() => words.loadEnglish())]);
mount(App, { target: document.getElementById("app")! });
watchTurns();
