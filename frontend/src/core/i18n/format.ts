// ICU messages as the build leaves them (messages.js): plain texts have holes, others are lists of texts and choices.

export type Message = string | readonly (string | Choice)[];
type Choice = readonly [parameter: string, options: Readonly<Record<string, Message>>];

export type Values = Readonly<Record<string, string | number>>;

/** How a language writes numbers, and which plural they take. */
export interface Rules {
  number: Intl.NumberFormat;
  plural: Intl.PluralRules;
}

const VOWEL = /^([aeiouhœæ]|y(?![aeiou]))/i; // as they sound: of Hélène and Yves, not of Yann

/** A message with its values. A hole without a value stays as it is. */
export function format(message: Message, values: Values, rules: Rules): string {
  if (typeof message !== "string")
    return message
      .map((part) => format(typeof part === "string" ? part : chosen(part, values, rules), values, rules))
      .join("");
  return message.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    return typeof value === "number" ? rules.number.format(value) : (value ?? hole);
  });
}

/** By a number: exactly, or by its plural. By a text: exactly, or `vowel` if it begins with one, as a name may. */
function chosen([parameter, options]: Choice, values: Values, { plural }: Rules): Message {
  const value = values[parameter] ?? "";
  const fits =
    typeof value === "number"
      ? [`=${value}`, plural.select(value)]
      : [value, VOWEL.test(value.normalize("NFD")) ? "vowel" : "other"];
  return options[fits.find((key) => key in options) ?? "other"]!;
}
