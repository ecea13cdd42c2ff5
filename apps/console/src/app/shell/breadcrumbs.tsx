import { Fragment } from 'react'
import { Link } from 'react-router'
import type { MenuNode } from './menu-tree.ts'
import { hasScreen } from './use-menu.ts'

/** 设备管理 / 产品: names from the menu; a detail adds its own title behind its list. */
export function Breadcrumbs({ trail, title }: { trail: MenuNode[]; title: string | undefined }) {
  const last = trail.at(-1)
  const crumbs = trail.map((node) => ({ name: node.name, path: node.path }))
  if (title && title !== last?.name) crumbs.push({ name: title, path: '' })
  if (crumbs.length === 0) return null
  return (
    <nav className="breadcrumbs" aria-label="面包屑">
      {crumbs.map((crumb, i) => {
        const current = i === crumbs.length - 1
        return (
          <Fragment key={crumb.name + crumb.path}>
            {i > 0 && <span className="breadcrumbs-mark">/</span>}
            {!current && hasScreen(crumb.path) ? (
              <Link to={crumb.path}>{crumb.name}</Link>
            ) : (
              <span aria-current={current ? 'page' : undefined}>{crumb.name}</span>
            )}
          </Fragment>
        )
      })}
    </nav>
  )
}
