// The consent page. Its address has the secret of the link: with the consent it leaves the history, and going back opens a page without it.
document.getElementById('consent').addEventListener('submit', () => {
  history.replaceState(null, '', location.pathname);
});
