export { rulesUsingChannel } from './store.ts'
