import { Link } from 'react-router'
import { homePath } from '#api/sign-in-path.ts'
import { useSession } from '../session/session-context.ts'

export function Brand({ phone }: { phone: boolean }) {
  const { config } = useSession()
  return (
    <Link className="brand row shrink gap-10" to={homePath} title="回到首页">
      <img className="brand-logo" src={config?.logo || `${import.meta.env.BASE_URL}logo.svg`} alt="" />
      <span className="brand-title cut bold">{config?.title || 'iThings'}</span>
      {!phone && <span className="brand-note fixed small softer">管理控制台</span>}
    </Link>
  )
}
