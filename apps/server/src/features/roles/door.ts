export { refuseStrongerRole } from './own-rights.ts'
export { roleText } from './role-words.ts'
