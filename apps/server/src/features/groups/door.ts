export { findGroup } from './store.ts'
