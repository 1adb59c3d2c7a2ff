import type { Plugin } from "vite";
import type { Message } from "./src/core/i18n/format.ts";

export function isCatalogue(file: string): boolean;
export function catalogues(): Map<string, Record<string, string>>;
export function languageOf(file: string): string;
export function compile(text: string): Message;
export function parametersOf(text: string): Map<string, string>;
export function typesOf(all: Map<string, Record<string, string>>): string;
export function messages(): Plugin;
