export { placeText, unknown } from './location.ts'
export { placeOf, recordLogin } from './record-login.ts'
