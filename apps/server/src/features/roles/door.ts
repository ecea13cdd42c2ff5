export { refuseStrongerRole } from './own-rights.ts'
