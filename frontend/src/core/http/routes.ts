// The requests that the server takes, by method and path as in "GET /tables/{table}": what each needs, and its answer.

import type { paths } from "./openapi.ts";

type Method = "get" | "post";
type Below<Prefix extends string, Path = keyof paths> = Path extends `${Prefix}${infer Rest}` ? Rest : never;
type RouteOf<Path extends string> = {
  [M in Method]: paths[`/api${Path}` & keyof paths][M] extends object ? `${Uppercase<M>} ${Path}` : never;
}[Method];
export type Route = { [Path in Below<"/api">]: RouteOf<Path> }[Below<"/api">];

type Operation<R extends Route> = R extends `${infer M} ${infer Path}`
  ? paths[`/api${Path}` & keyof paths][Lowercase<M> & Method]
  : never;
type Get<T, Key> = Key extends keyof T ? T[Key] : undefined;
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;
/** A field that is there, may be there or, without a type, is not. */
type Field<Key extends string, T> = [T] extends [undefined]
  ? { [K in Key]?: undefined }
  : undefined extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T };

type Parameters<R extends Route> = Get<Operation<R>, "parameters">;
export type Body<R extends Route> = Json<Get<Operation<R>, "requestBody">>;
/** What a request has to say. */
export type Request<R extends Route> = Field<"path", Get<Parameters<R>, "path">> &
  Field<"query", Get<Parameters<R>, "query">> &
  Field<"body", Body<R>>;
/** What it is answered with if it succeeds. */
export type Answer<R extends Route> = {
  [Status in 200 | 201 | 202 | 204]: Get<Get<Operation<R>, "responses">, Status> extends infer Success
    ? Success extends object
      ? Json<Success>
      : never
    : never;
}[200 | 201 | 202 | 204];

/** The last argument of a request: it can be left out if nothing in it is needed. */
export type Last<Asked> = object extends Asked ? [asked?: Asked] : [asked: Asked];

/** What may be done for a seat. */
export type Deed = Exclude<Below<"POST /tables/{table}/", Route>, `${string}{${string}`>;

interface Parts {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
}

/** The method of a route, and its address with these parameters. */
export function addressOf(route: string, { path = {}, query = {} }: Parts = {}): [string, string] {
  const [method, template] = route.split(" ") as [string, string];
  const encoded = (value: unknown) => encodeURIComponent(String(value));
  const place = template.replace(/\{(\w+)\}/g, (_, name: string) => encoded(path[name]));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const asked = given.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  return [method, `/api${place}${asked && `?${asked}`}`];
}
