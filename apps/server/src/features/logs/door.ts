export { placeText, unknown } from './location.ts'
export { maskSecrets } from './mask-secrets.ts'
export { placeOf, recordLogin } from './record-login.ts'
