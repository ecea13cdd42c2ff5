import { QuestionCircleOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { type HelpPage, helpPath } from '#kit/paths.ts'
import '#kit/parts.css'
import './help-link.css'

/** A question mark beside a title: the way to the part of a guide that explains it. */
export function HelpLink({ page, section, label }: { page: HelpPage; section?: string; label: string }) {
  const name = t('帮助：{label}', { label })
  return (
    <Link
      className="icon-button inline-row quiet center round-4"
      style={{ width: 24, height: 24, fontSize: 14 }}
      to={helpPath(page, section)}
      aria-label={name}
      title={name}
    >
      <QuestionCircleOutlined />
    </Link>
  )
}
