/** Our CSP forbids eval: zod must not even try to compile its checks. Imported before any schema is used. */
import * as z from 'zod'

z.config({ jitless: true })
