import { HideInMenu, hideInMenuLabels, menuTypeLabels } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { MenuGlyph } from '#blocks/menu-icon.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { menuTypeLooks } from '../labels.ts'
import type { MenuNode, MenuSearch } from '../menu-tree.ts'

/** The searched part of a text stands out, so that a match between its ancestors is found at a glance. */
function Highlight({ text, part }: { text: string; part: string | undefined }) {
  const wanted = part?.trim().toLowerCase() ?? ''
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className="menu-match bold warning-text pad-0">{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}

export const menuColumns = (search: MenuSearch): ListColumn<MenuNode>[] => [
  {
    key: 'name',
    title: t('菜单名称'),
    dataIndex: 'name',
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <span className="menu-name inline-row gap-8">
        <MenuGlyph name={row.icon} size={16} />
        <span>
          <Highlight text={row.name} part={search.name} />
        </span>
      </span>
    ),
  },
  {
    key: 'type',
    title: t('类型'),
    phone: 'status',
    render: (_value, row) => <StatusTag filled looks={menuTypeLooks} value={row.type} />,
    labels: menuTypeLabels,
  },
  {
    key: 'path',
    title: t('路由地址'),
    dataIndex: 'path',
    phone: 'subtitle',
    render: (_value, row) => (
      <Copyable text={row.path} maxWidth={215}>
        <Highlight text={row.path} part={search.path} />
      </Copyable>
    ),
  },
  { key: 'order', title: t('排序'), dataIndex: 'order', align: 'right', phone: 'meta' },
  {
    key: 'hideInMenu',
    title: t('隐藏', { context: 'state' }),
    phone: 'meta',
    render: (_value, row) => {
      const text = labelOf(hideInMenuLabels, row.hideInMenu)
      return row.hideInMenu === HideInMenu.hide ? <StatusTag filled text={text} tone="default" /> : text
    },
    labels: hideInMenuLabels,
  },
  { key: 'component', title: t('文件路径'), dataIndex: 'component', truncate: 130, className: 'mono' },
  { key: 'redirect', title: t('路由重定向'), dataIndex: 'redirect', truncate: 100, className: 'mono' },
  { key: 'createTime', title: t('创建时间'), time: 'relative' },
  { key: 'id', title: t('编号'), dataIndex: 'id', hiddenAtFirst: true },
]
