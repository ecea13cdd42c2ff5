import { unknownNames } from '@ithings/contract/rules/notice-template.ts'
import { sceneVariables } from '@ithings/contract/rules/scene-notice.ts'

const known = Object.fromEntries(sceneVariables.map((name) => [name, true]))

/** Names of variables that a scene cannot fill in: nobody's, or those of an alarm. */
export const unfilledNames = ({ title, content }: { title: string; content: string }): string[] =>
  unknownNames(`${title} ${content}`, known)
