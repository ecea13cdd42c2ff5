import type { DataOf } from '@ithings/contract/endpoint.ts'
import { listSchemaVersions, restoreSchemaVersion } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { App, Collapse, Skeleton } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { ActButton } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { DiffList, diffWords, isSame, lostFunctions } from './diff-list.tsx'
import { restoreVersion, useModelChanged, versionQuery, versionsQuery } from './queries.ts'
import { useLossWarning } from './references.tsx'

type Version = DataOf<typeof listSchemaVersions>['list'][number]

/** Every change left a version: who, when, what it was, and the way back. */
export function VersionsDrawer({ productID, ...opened }: Opened & { productID: string }) {
  return (
    <SideDrawer {...opened} title={t('物模型版本')} width={720}>
      <VersionList productID={productID} />
    </SideDrawer>
  )
}

function VersionList({ productID }: { productID: string }) {
  const pages = useInfiniteQuery({
    queryKey: [listSchemaVersions.path, productID, 'all'],
    queryFn: ({ pageParam, client }) => client.fetchQuery(versionsQuery(productID, pageParam)),
    initialPageParam: 1,
    getNextPageParam: (last, all) => {
      const seen = all.reduce((sum, page) => sum + page.list.length, 0)
      return last.list.length > 0 && seen < last.total ? all.length + 1 : undefined
    },
  })
  if (pages.isPending) return <Skeleton active paragraph={{ rows: 8 }} title={false} />
  if (pages.isError && !pages.data) {
    return <QueryError subject={t('物模型版本')} query={pages} />
  }
  const versions = pages.data.pages.flatMap((page) => page.list)
  const newest = versions[0]?.version
  if (newest === undefined) {
    return (
      <StateBlock variant="empty" title={t('还没有版本')} text={t('新增或导入功能后，每次改动都会留下一个版本。')} />
    )
  }
  return (
    <>
      <Collapse
        className="version-list"
        destroyOnHidden
        items={versions.map((version) => ({
          key: version.version,
          label: <VersionTitle version={version} current={version.version === newest} />,
          children: <VersionDetail productID={productID} version={version} current={version.version === newest} />,
        }))}
      />
      <LoadMore
        hasMore={pages.hasNextPage}
        loading={pages.isFetchingNextPage}
        failed={pages.isFetchNextPageError}
        onMore={() => void pages.fetchNextPage()}
      />
    </>
  )
}

function VersionTitle({ version, current }: { version: Version; current: boolean }) {
  const { propertyCount, eventCount, actionCount } = version
  return (
    <span className="row wrap gap-12 tight">
      <span className="bold" style={{ minWidth: 32 }}>
        v{version.version}
      </span>
      <span className="anywhere">{version.title}</span>
      {current && <StatusTag filled text={t('当前')} tone="success" />}
      <span className="meta whole-line">
        <TimeText value={version.createdTime} />
        {t(' · {user} · 属性 {properties}、事件 {events}、行为 {actions}', {
          user: version.userName || t('系统'),
          properties: propertyCount,
          events: eventCount,
          actions: actionCount,
        })}
      </span>
    </span>
  )
}

function VersionDetail({ productID, version, current }: { productID: string; version: Version; current: boolean }) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const changed = useModelChanged(productID)
  const warnOf = useLossWarning(productID)
  const detail = useQuery(versionQuery(productID, version.version))
  if (detail.isPending) return <Skeleton active paragraph={{ rows: 3 }} title={false} />
  if (!detail.data) {
    return <QueryError compact subject={t('版本 {version}', { version: version.version })} query={detail} />
  }
  const { diff, tsl } = detail.data
  const restore = async () => {
    const lost = lostFunctions(diff)
    const warning = lost.length === 0 ? '' : await warnOf(lost)
    const changes = diffWords(diff)
    confirm({
      title: t('恢复到版本 {version}？', { version: version.version }),
      content: (
        <>
          {diff.changed.some((one) => one.typeChanged)
            ? t('当前物模型将{changes}，其中有类型变化，旧类型的历史数据不再显示。', { changes })
            : t('当前物模型将{changes}。', { changes })}
          {warning}
          {t('现在的内容已留有版本，可以再恢复回来。')}
        </>
      ),
      danger: lost.length > 0,
      okText: t('恢复', { context: 'version' }),
      onOk: async () => {
        await restoreVersion(productID, version.version)
        void message.success(t('已恢复到版本 {version}', { version: version.version }))
        await changed()
      },
    })
  }
  return (
    <div className="version-detail column gap-12">
      {current || isSame(diff) ? (
        <p className="meta">{t('与当前物模型相同。')}</p>
      ) : (
        <>
          <div className="row wrap between gap-8">
            <span className="meta">{t('恢复后，当前物模型将有以下变化')}</span>
            <ActButton needs={restoreSchemaVersion} size="small" onClick={() => void restore()}>
              {t('恢复到此版本')}
            </ActButton>
          </div>
          <DiffList diff={diff} />
        </>
      )}
      <Collapse
        ghost
        size="small"
        items={[
          { key: 'json', label: t('查看这个版本的 JSON'), children: <JsonView value={tsl} fileName="tsl.json" /> },
        ]}
      />
    </div>
  )
}
