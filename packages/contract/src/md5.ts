import { md5 as digest } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Lower-case hex, as existing consoles send passwords (decisions.md 2 "Password on the wire"). Protects nothing by itself. */
export const md5 = (text: string): string => bytesToHex(digest(utf8ToBytes(text)))
