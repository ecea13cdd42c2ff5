/**
 * Screen readers say nothing of an icon: antd gives each the English name of its picture, so that a button would be read as
 * "plus 新增产品". One that has a label of its own, or can be pressed, keeps it. The library has no setting for that.
 */
import type { Plugin } from 'vite'

const component = /[\\/]@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon(Light)?\.js$/
const named = /role: "img",\s*"aria-label": icon\.name/
const muted = `...(restProps["aria-label"] || onClick ? { role: "img", "aria-label": icon.name } : { "aria-hidden": true })`

export function muteIcon(code: string): string {
  if (!named.test(code)) throw new Error('antd names its icons in another way: build/mute-icons.ts is to follow')
  return code.replace(named, muted)
}

export const muteIcons = (): Plugin => ({
  name: 'ithings:mute-icons',
  apply: 'build',
  transform: {
    filter: { id: component },
    handler: (code) => ({ code: muteIcon(code), map: null }),
  },
})
