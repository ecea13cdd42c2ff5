/** The guides that come with the console (docs/), and links into them from the screens they explain. */
import { QuestionCircleOutlined } from '@ant-design/icons'
import { Link } from 'react-router'
import '#kit/parts.css'
import './help-link.css'

export const helpPages = [
  { key: 'operator-guide', title: '操作手册' },
  { key: 'device-guide', title: '设备接入手册' },
  { key: 'api', title: '接口手册' },
  { key: 'deployment', title: '容器部署' },
  { key: 'configuration', title: '配置参考（英文）' },
] as const
export type HelpPage = (typeof helpPages)[number]['key']

/** @param section anchor of a heading, as GitHub makes it */
export const helpPath = (page: HelpPage = 'operator-guide', section?: string): string =>
  `/help/${page}${section ? `#${encodeURIComponent(section)}` : ''}`

/** A question mark beside a title. */
export function HelpLink({ page, section, label }: { page: HelpPage; section?: string; label: string }) {
  const name = `帮助：${label}`
  return (
    <Link className="icon-button help-link" to={helpPath(page, section)} aria-label={name} title={name}>
      <QuestionCircleOutlined />
    </Link>
  )
}
