/** Which modules go into which file. Module paths have the separators of the system where rolldown is asked. */

/** A pattern for paths that is written with slashes. */
const paths = (pattern: string) => new RegExp(pattern.replaceAll('/', String.raw`[\\/]`))

const fields = 'form|checkbox|input/(Input|Password)'
const fieldParts = 'form|async-validator|checkbox'
const icons = '(User|Sun|Moon)Outlined'

/** Forms, and the little that the login page shares with the frame: anything else it shared would load the whole frame. */
export const formParts = paths(
  `node_modules/(antd/es/(${fields})|@rc-component/(${fieldParts})|@ant-design/icons/es/icons/${icons})|src/kit/use-phone\\.ts$`,
)
/** antd's buttons look at one function in a file of the colour picker, whose collapsible panels no start needs. */
export const startParts = paths('^(?!.*(antd/es|@rc-component)/collapse/)')
export const frameParts = paths('src/(app/(dialogs|shell/(header|sider|breadcrumbs))|kit/list-page/list-page)\\.tsx$')
/** Small parts that several screens share. As files of their own they would be fifty requests for a page. */
export const sharedParts = paths('@ant-design/icons/|packages/contract/src/|apps/console/src/')
