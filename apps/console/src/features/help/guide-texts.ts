/** The guides as text, all in one file of the build: the search reads them all, and few files keep the start small. */
export const guideTexts = import.meta.glob<string>(
  '../../../../../docs/{operator-guide,device-guide,api,deployment,configuration}.md',
  { query: '?raw', import: 'default', eager: true },
)
