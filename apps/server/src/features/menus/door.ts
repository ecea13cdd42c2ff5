export { menuText } from './menu-words.ts'
export { menusOfRole } from './menus-of-role.ts'
