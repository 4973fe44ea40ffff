import { seoKeywordCalls } from '@contract/seo/keywordCalls';
import type { seoKeywordEndpoints } from '@contract/seo/keywordSchemas';
import { api } from '@/store/api';
import { query, typed } from '@/store/endpoints';

const calls = typed<typeof seoKeywordEndpoints>(seoKeywordCalls);

export const seoKeywordsApi = api.injectEndpoints({ endpoints: (b) => ({ seoKeywords: query(b, calls.seoKeywords) }) });

export const { useSeoKeywordsQuery } = seoKeywordsApi;
