/**
 * Screen readers say nothing of an icon: antd gives each the English name of its picture, so that a button would be read as
 * "plus 新增产品". One that has a label of its own, or can be pressed, keeps it. The buttons that turn pages had no other
 * name than that of their icon; they get the one that their tooltip shows. The library has no setting for either.
 */
import type { Plugin } from 'vite'

const icon = /[\\/]@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon(Light)?\.js$/
const named = /role: "img",\s*"aria-label": icon\.name/
const muted = `...(restProps["aria-label"] || onClick ? { role: "img", "aria-label": icon.name } : { "aria-hidden": true })`

const pagination = /[\\/]antd[\\/]es[\\/]pagination[\\/]Pagination\.js$/
const pageButton = /(const (prev|next)Icon = [^;]*?type: "button",)/g
const buttonsMadeFor = '}, [direction, prefixCls]);'

const changed = new Error('antd writes its icons in another way: build/mute-icons.ts is to follow')

function muteIcon(code: string): string {
  if (!named.test(code)) throw changed
  return code.replace(named, muted)
}

function namePageButtons(code: string): string {
  if (code.match(pageButton)?.length !== 2 || !code.includes(buttonsMadeFor)) throw changed
  return code
    .replaceAll(pageButton, '$1 "aria-label": locale.$2_page,')
    .replace(buttonsMadeFor, '}, [direction, prefixCls, locale.prev_page, locale.next_page]);')
}

export const muteIcons = (): Plugin => ({
  name: 'ithings:mute-icons',
  apply: 'build',
  transform: {
    filter: { id: [icon, pagination] },
    handler: (code, id) => ({ code: icon.test(id) ? muteIcon(code) : namePageButtons(code), map: null }),
  },
})
