// The routes of the API, by method and path as in "GET /tables/{table}": their parameters and answers.

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
/** A field that is required, optional or, without a type, forbidden. */
type Field<Key extends string, T> = [T] extends [undefined]
  ? { [K in Key]?: undefined }
  : undefined extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T };

type OperationParameters<R extends Route> = Get<Operation<R>, "parameters">;
export type Body<R extends Route> = Json<Get<Operation<R>, "requestBody">>;
/** The path's and query's parameters, and the body. */
export type Parameters<R extends Route> = Field<"path", Get<OperationParameters<R>, "path">> &
  Field<"query", Get<OperationParameters<R>, "query">> &
  Field<"body", Body<R>>;
/** The body of a successful response. */
export type Answer<R extends Route> = {
  [Status in 200 | 201 | 202 | 204]: Get<Get<Operation<R>, "responses">, Status> extends infer Success
    ? Success extends object
      ? Json<Success>
      : never
    : never;
}[200 | 201 | 202 | 204];

/** A last argument that can be left out if nothing in it is required. */
export type OptionalIfEmpty<Options> = object extends Options ? [options?: Options] : [options: Options];

/** What a seat's player may do, as in "move". */
export type Action = Exclude<Below<"POST /tables/{table}/", Route>, `${string}{${string}`>;

export interface AddressParts {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
}

/** The method of a route, and its address with these parameters. */
export function addressOf(route: string, { path = {}, query = {} }: AddressParts = {}): [string, string] {
  const [method, template] = route.split(" ") as [string, string];
  const encoded = (value: unknown) => encodeURIComponent(String(value));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encoded(path[name]));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = given.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  return [method, `/api${filled}${search && `?${search}`}`];
}
