export { menusOfRole } from './menus-of-role.ts'
