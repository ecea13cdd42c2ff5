/** Notices that belong to no screen: failed calls, offline, a new version (spec 4, 8). */
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useEffect } from 'react'
import { failureNotices, makeNoticeMerger } from '#api/notices.ts'
import { CopyButton } from '#kit/copyable.tsx'
import { useNotices } from '#kit/notices.tsx'
import './global-notices.css'
import { refreshToNewest, updateReady } from './pwa.ts'

const merger = makeNoticeMerger()

export function GlobalNotices() {
  const { notification } = useNotices()

  useEffect(
    () =>
      failureNotices.on((notice) => {
        const { key, count, title, text, requestID } = merger.add(notice)
        notification.error({
          key,
          title,
          description: (
            <>
              <div className="anywhere scroll-y" style={{ maxHeight: 132 }}>
                {text}
              </div>
              {(requestID || count > 1) && (
                <div className="flex wrap between small quiet above-8 line-20 gap-4-12">
                  {requestID && (
                    <span>
                      {t('请求编号')} <span className="mono-payload">{requestID}</span>{' '}
                      <CopyButton text={requestID} label={t('复制请求编号')} />
                    </span>
                  )}
                  {count > 1 && <span className="softer">{t('共 {count} 次', { count })}</span>}
                </div>
              )}
            </>
          ),
          onClose: () => merger.closed(key),
        })
      }),
    [notification],
  )

  useEffect(
    () =>
      updateReady.on(() =>
        notification.open({
          key: 'update-ready',
          title: t('有新内容'),
          description: t('请点击“刷新”按钮或者手动刷新页面'),
          // It asks for a decision, so it stays.
          duration: false,
          actions: (
            <Button type="primary" size="small" onClick={() => void refreshToNewest()}>
              {t('刷新')}
            </Button>
          ),
        }),
      ),
    [notification],
  )

  useEffect(() => {
    const offline = () => notification.warning({ key: 'offline', title: t('当前处于离线状态'), duration: false })
    const online = () => notification.destroy('offline')
    if (!navigator.onLine) offline()
    window.addEventListener('offline', offline)
    window.addEventListener('online', online)
    return () => {
      window.removeEventListener('offline', offline)
      window.removeEventListener('online', online)
    }
  }, [notification])

  return null
}
