declare const isSealed: unique symbol

/** Text as the database has it (sealed.ts); only `open` makes something of it. */
export type Sealed = string & { readonly [isSealed]: true }
