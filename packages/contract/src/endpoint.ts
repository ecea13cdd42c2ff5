/** One definition for three users: the server mounts it, the console calls it, the API page documents it. */
import * as z from 'zod'
import { nothing } from './wire.ts'

/** spec 3: operation type. */
export const BusinessType = { add: 1, delete: 2, modify: 3, query: 4, other: 5 } as const
export type BusinessType = (typeof BusinessType)[keyof typeof BusinessType]
export const businessTypeLabels: Record<BusinessType, string> = {
  1: '新增',
  2: '删除',
  3: '修改',
  4: '查询',
  5: '其它',
}

/** spec 3: operation HTTP method. */
export const HttpMethod = {
  get: 1,
  post: 2,
  head: 3,
  options: 4,
  put: 5,
  delete: 6,
  trace: 7,
  connect: 8,
  other: 9,
} as const
export type HttpMethod = (typeof HttpMethod)[keyof typeof HttpMethod]
export const httpMethodLabels: Record<HttpMethod, string> = {
  1: 'GET',
  2: 'POST',
  3: 'HEAD',
  4: 'OPTIONS',
  5: 'PUT',
  6: 'DELETE',
  7: 'TRACE',
  8: 'CONNECT',
  9: '其它',
}

/**
 * Who may call: anybody, every signed-in user, or the roles whose API list holds it.
 */
export type Access = 'public' | 'signed-in' | 'role'

export interface Endpoint<Body extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  readonly path: string
  readonly access: Access
  /** Chinese name, shown in the API list, the operation log and the API page. */
  readonly name: string
  /** Chinese group in the API list. */
  readonly group: string
  readonly businessType: BusinessType
  readonly body: Body
  readonly data: Data
  /** A dangerous act: who has a second factor must have given it in the last 15 minutes. */
  readonly fresh?: boolean
  /** Only for a person who has signed in, never by an API key. */
  readonly personal?: boolean
  /** Also for somebody whose role demands a second factor that he has not yet. */
  readonly enrolling?: boolean
  /** Not kept in the operation log although it changes something (it has a log of its own, or the text is huge). */
  readonly unlogged?: boolean
  /** Answers with its data alone, without the envelope, because the caller is no console (http-api.md 4.3 auth5). */
  readonly unwrapped?: boolean
  /** Takes forms, also by GET, and answers and refuses as Prometheus does, because the caller is a chart tool. */
  readonly asPrometheus?: boolean
  /** Multipart form with one file part; `body` describes the other fields. */
  readonly multipart?: { readonly maxBytes: number }
  /** JSON of so many bytes instead of 1 MB; read only for whoever may call (decisions.md 4.3: limits everywhere). */
  readonly bodyBytes?: number
}

export const endpoint = <Body extends z.ZodType, Data extends z.ZodType>(
  definition: Endpoint<Body, Data>,
): Endpoint<Body, Data> => definition

type Rest<Body extends z.ZodType, Data extends z.ZodType> = Partial<
  Omit<Endpoint<Body, Data>, 'path' | 'name' | 'group' | 'businessType'>
>

const noFields = z.object({})

/**
 * Defines the endpoints of one group of the API list; the verb says what a call does. Without more words an endpoint is
 * for roles that hold it, takes nothing and answers nothing.
 */
export function endpointsOf(group: string) {
  const verb =
    (businessType: BusinessType) =>
    <Body extends z.ZodType = typeof noFields, Data extends z.ZodType = typeof nothing>(
      path: string,
      name: string,
      rest: Rest<Body, Data> = {},
    ): Endpoint<Body, Data> => ({
      access: 'role',
      body: noFields as z.ZodType as Body,
      data: nothing as z.ZodType as Data,
      ...rest,
      path,
      name,
      group,
      businessType,
    })
  return {
    query: verb(BusinessType.query),
    add: verb(BusinessType.add),
    modify: verb(BusinessType.modify),
    remove: verb(BusinessType.delete),
    act: verb(BusinessType.other),
  }
}

/** What a caller may send. */
export type BodyInput<E extends Endpoint> = z.input<E['body']>
/** What the handler receives after decoding. */
export type BodyOutput<E extends Endpoint> = z.output<E['body']>
/** What travels back under `data`. */
export type DataOf<E extends Endpoint> = z.output<E['data']>
