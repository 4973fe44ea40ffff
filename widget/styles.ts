/**
 * Styles of the widget. A constructed style sheet needs no permission of the page's content security policy. Rules of the page win over those of the host element
 * unless these are important.
 */
export const styles = `
:host{all:initial!important}
:host([hidden]){display:none!important}
*,*::before,*::after{box-sizing:border-box}
.root{--ground:#fff;--ground-2:#f4f4f5;--rule:#e7e7ea;--field:#8b8b94;--text:#18181b;--text-2:#5f5f68;--bad:#b3261e;--link:#0b5fd0;--shadow:0 8px 32px rgb(0 0 0/.18),0 1px 4px rgb(0 0 0/.1);
font:14px/1.5 Inter,-apple-system,"Segoe UI",Roboto,"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC","Noto Sans Arabic",sans-serif;color:var(--text);position:fixed;z-index:var(--z);bottom:calc(16px + var(--offset));text-align:start;-webkit-text-size-adjust:100%}
.root.right{right:16px}.root.left{left:16px}
.root[dir=rtl]{font-family:Inter,-apple-system,"Segoe UI",Roboto,"Noto Sans Arabic",sans-serif}
@media(prefers-color-scheme:dark){.root{--ground:#1c1c1f;--ground-2:#2a2a2e;--rule:#3a3a40;--field:#85858f;--text:#ececef;--text-2:#a6a6b0;--bad:#ff8a80;--link:#7ab7ff;--shadow:0 8px 32px rgb(0 0 0/.6)}}
button,input,textarea,select{font:inherit;color:inherit;margin:0}
button{cursor:pointer;border:0;background:none;padding:0}
button:disabled{cursor:default;opacity:.5}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.icon{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;display:block}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
.launcher{display:flex;align-items:center;gap:8px;min-width:56px;height:56px;padding:0 16px;border-radius:28px;background:var(--brand);color:var(--on-brand);box-shadow:var(--shadow);font-weight:500;position:relative;margin-inline-start:auto;max-width:calc(100vw - 32px)}
.root.left .launcher{margin-inline:0 auto}
.root[dir=rtl].right .launcher{margin-inline:0 auto}.root[dir=rtl].left .launcher{margin-inline:auto 0}
.launcher .icon{width:24px;height:24px}
.launcher .label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.launcher:focus-visible{outline-color:var(--text);outline-offset:3px}
.badge{position:absolute;top:-4px;inset-inline-end:-4px;min-width:20px;height:20px;padding:0 6px;border-radius:10px;background:#c4281c;color:#fff;font-size:12px;line-height:20px;font-weight:600;text-align:center;box-shadow:0 0 0 2px var(--ground)}
.badge::before{content:attr(data-count)}
.invite{position:absolute;bottom:72px;width:280px;max-width:calc(100vw - 32px);background:var(--ground);border-radius:12px;box-shadow:var(--shadow);padding:12px 36px 12px 16px}
.root[dir=rtl] .invite{padding:12px 16px 12px 36px}
.root.right .invite{right:0}.root.left .invite{left:0}
.invite .open{text-align:start;white-space:pre-wrap;overflow-wrap:anywhere}
.invite .dismiss{position:absolute;top:8px;inset-inline-end:8px;width:28px;height:28px;display:grid;place-items:center;color:var(--text-2)}
.invite .dismiss .icon{width:16px;height:16px}
.panel{position:absolute;bottom:0;width:384px;height:min(640px,calc(100vh - 32px - var(--offset)));background:var(--ground);border-radius:12px;box-shadow:var(--shadow);display:flex;flex-direction:column;overflow:hidden}
.root.right .panel{right:0}.root.left .panel{left:0}
header{display:flex;align-items:center;gap:4px;padding:12px 8px 12px 16px;background:var(--brand);color:var(--on-brand)}
.root[dir=rtl] header{padding:12px 16px 12px 8px}
header .names{flex:1;min-width:0}
h2{margin:0;font-size:16px;line-height:24px;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
header p{margin:0;font-size:12px;line-height:18px}
header .dot{display:inline-block;width:8px;height:8px;border-radius:50%;background:#4ade80;margin-inline-end:6px;box-shadow:0 0 0 1px rgb(0 0 0/.25)}
header button{width:40px;height:40px;display:grid;place-items:center;border-radius:6px}
header button:hover{background:rgb(127 127 127/.25)}
header button:focus-visible{outline-color:var(--on-brand);outline-offset:-2px}
.banner{margin:0;padding:6px 16px;background:var(--ground-2);color:var(--text-2);font-size:12px;text-align:center}
.body{flex:1;min-height:0;display:flex;flex-direction:column}
.place{position:relative;flex:1;min-height:0;display:flex;flex-direction:column}
.log{flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;padding:16px;display:flex;flex-direction:column;gap:8px}
.log:focus-visible{outline-offset:-2px}
.log>:first-child{margin-top:auto}
.day,.line{align-self:center;color:var(--text-2);font-size:12px;text-align:center;max-width:90%;margin:8px 0 4px;overflow-wrap:anywhere;white-space:pre-line}
.message{display:flex;flex-direction:column;max-width:84%;align-self:flex-start;align-items:flex-start}
.message.own{align-self:flex-end;align-items:flex-end}
.author,.state{font-size:12px;line-height:18px;color:var(--text-2)}
.author{margin-bottom:2px}.state{margin-top:2px}
.bubble{padding:8px 12px;border-radius:12px;background:var(--ground-2);white-space:pre-wrap;overflow-wrap:anywhere;min-width:0;max-width:100%;border-end-start-radius:3px;unicode-bidi:plaintext;text-align:start}
.own .bubble{background:var(--brand);color:var(--on-brand);border-end-start-radius:12px;border-end-end-radius:3px}
.bubble.gone{background:none;border:1px solid var(--rule);color:var(--text-2)}
.bubble a{color:var(--link);text-decoration:underline}.own .bubble a{color:inherit}
.picture{display:block;border-radius:12px;overflow:hidden;background:var(--ground-2);max-width:100%}
.picture img{display:block;max-width:240px;width:100%;height:auto;max-height:320px;object-fit:cover}
.file{display:flex;align-items:center;gap:8px;text-decoration:none!important;min-width:0}
.file .icon{flex:none}
.file span{min-width:0;overflow-wrap:anywhere}
.file small{display:block;font-size:12px}
.state.bad{color:var(--bad)}
.state button,.plain{color:var(--link);text-decoration:underline;font-size:12px;min-height:24px}
.own .state button{margin-inline-start:8px}
.earlier{align-self:center}
.typing{display:flex;gap:4px;padding:12px}
.typing i{width:6px;height:6px;border-radius:50%;background:var(--text-2);animation:typing 1.2s infinite}
.typing i:nth-child(2){animation-delay:.2s}.typing i:nth-child(3){animation-delay:.4s}
@keyframes typing{0%,60%,100%{opacity:.3}30%{opacity:1}}
.loading{align-self:center;color:var(--text-2);font-size:12px}
.jump{position:absolute;bottom:12px;left:50%;transform:translateX(-50%);padding:6px 14px;border-radius:16px;background:var(--text);color:var(--ground);font-size:12px;box-shadow:var(--shadow);min-height:32px}
.composer{border-top:1px solid var(--rule);padding:8px;display:flex;gap:4px;align-items:flex-end}
.composer textarea{flex:1;min-width:0;resize:none;border:0;background:none;padding:8px;min-height:40px;max-height:140px;outline:none;line-height:24px;overflow-y:auto}
.composer:focus-within{box-shadow:inset 0 2px 0 var(--brand-line)}
.composer button{flex:none;width:40px;height:40px;border-radius:6px;display:grid;place-items:center;color:var(--text-2)}
.composer button:hover:not(:disabled){background:var(--ground-2)}
.composer .go{color:var(--on-brand);background:var(--brand);border-radius:20px}
.composer .go:hover:not(:disabled){background:var(--brand);filter:brightness(1.1)}
.composer .go:disabled{background:var(--ground-2);color:var(--text-2);opacity:1}
textarea::placeholder,input::placeholder{color:var(--text-2);opacity:1}
.consent{margin:0;padding:0 16px 8px;font-size:12px;color:var(--text-2)}
.consent a{color:var(--link)}
.alert{margin:0;padding:6px 16px;color:var(--bad);font-size:12px}
.form{flex:1;min-height:0;overflow-y:auto;padding:16px;display:flex;flex-direction:column;gap:12px}
.form h3{margin:0;font-size:16px;line-height:24px;font-weight:600}
.form p{margin:0;color:var(--text-2);white-space:pre-line;overflow-wrap:anywhere}
.form .consent,.form .alert{padding:0}.form .alert{color:var(--bad)}
.field{display:flex;flex-direction:column;gap:4px}
.field span.name{font-weight:500}
.field input,.field select,.field textarea,.rating textarea{width:100%;border:1px solid var(--field);border-radius:4px;padding:8px 10px;background:var(--ground);min-height:40px}
.field textarea,.rating textarea{min-height:88px;resize:vertical}
.field input:focus,.field select:focus,.field textarea:focus,.rating textarea:focus{outline:2px solid var(--link);outline-offset:-1px;border-color:transparent}
.field [aria-invalid=true]{border-color:var(--bad)}
.field .error{color:var(--bad);font-size:12px}
.main{min-height:40px;padding:8px 16px;border-radius:4px;background:var(--brand);color:var(--on-brand);font-weight:500}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.sent{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:12px;padding:32px 24px;text-align:center}
.sent .mark{width:40px;height:40px;border-radius:50%;background:var(--ground-2);display:grid;place-items:center}
.sent p{margin:0;white-space:pre-line;overflow-wrap:anywhere}
.rating{align-self:stretch;border:1px solid var(--rule);border-radius:12px;padding:12px 16px;display:flex;flex-direction:column;gap:8px;margin-top:8px}
.rating fieldset{border:0;margin:0;padding:0}
.rating legend{padding:0;font-weight:500;margin-bottom:4px}
.rating .field{scroll-margin-bottom:28px}
.stars{display:flex;gap:4px}
.stars label{position:relative;width:40px;height:40px;display:grid;place-items:center;cursor:pointer;color:var(--field);border-radius:4px}
.stars input{position:absolute;inset:0;opacity:0;cursor:pointer}
.stars .icon{width:28px;height:28px;stroke-width:1.5}
.stars label.on{color:#b7791f}.stars label.on .icon{fill:currentColor}
.stars label:focus-within{outline:2px solid var(--link)}
@media(prefers-color-scheme:dark){.stars label.on{color:#f5b544}}
@media(prefers-reduced-motion:no-preference){.panel{animation:rise .16s ease-out}.invite{animation:rise .16s ease-out}@keyframes rise{from{opacity:0;transform:translateY(12px)}}}
@media(prefers-reduced-motion:reduce){.typing i{animation:none}}
@media(max-width:480px){.root.open{inset:0;bottom:0}.panel{position:fixed;inset:0;width:100%;height:100dvh;border-radius:0}header{padding-top:max(12px,env(safe-area-inset-top))}.composer{padding-bottom:max(8px,env(safe-area-inset-bottom))}.composer textarea,.field input,.field select,.field textarea,.rating textarea{font-size:16px}.launcher .label{display:none}.launcher{padding:0;justify-content:center;width:56px}}
@media(pointer:coarse){header button,.composer button,.stars label,.invite .dismiss{width:44px;height:44px}.composer .go{border-radius:22px}.composer textarea{min-height:44px;padding-block:10px}.main,.jump,.plain,.state button,.field input,.field select{min-height:44px}.state button{min-width:44px}.invite .dismiss{top:0;inset-inline-end:0}}
@media(forced-colors:active){.launcher,.bubble,.main,.panel,.invite{border:1px solid}}
@media print{.root{display:none}}
`;
