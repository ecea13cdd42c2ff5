export { placeOf, recordLogin } from './record-login.ts'
