/** 站点留言簿。 */
export default { empty: '还没有留言', clear: '清空留言' };
