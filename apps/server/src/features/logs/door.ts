export { recordLogin } from './record-login.ts'
