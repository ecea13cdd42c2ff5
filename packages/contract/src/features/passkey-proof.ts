/** What a browser hands over of a passkey (WebAuthn level 3, the JSON forms of its credentials). */
import * as z from 'zod'

/** Bytes as text; the longest id that WebAuthn allows has 1023 of them. */
const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/)

const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }

/** Somebody used a passkey: signed by it, for one challenge of the platform. */
export const passkeyProof = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(8192),
    /** Whose passkey it is, as the authenticator remembers it. */
    userHandle: bytes(128).optional(),
  }),
})
export type PasskeyProof = z.output<typeof passkeyProof>

/** Somebody made a passkey. */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(65_536),
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
})
export type NewPasskey = z.output<typeof newPasskey>
