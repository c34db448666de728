;;; eglot.el --- Emacs' client, as a package (28) or built in (29 and later)  -*- lexical-binding: t -*-
;; Arguments by environment: LP_ROOT, LP_PYTHON, LP_PICK.
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'python)
(setq eglot-sync-connect 60
      eglot-connect-timeout 60
      eglot-autoshutdown t
      eglot-events-buffer-size 0
      eglot-confirm-server-initiated-edits nil
      eglot-confirm-server-edits nil
      make-backup-files nil
      create-lockfiles nil
      project-find-functions (list (lambda (_) (cons 'transient (getenv "LP_ROOT")))))
(setq eglot-server-programs `((python-mode . (,(getenv "LP_PYTHON") "-m" "lintpickle" "server"))))
(find-file (concat (getenv "LP_ROOT") "/bad.py"))
(python-mode)
(apply #'eglot--connect (eglot--guess-contact))
(flymake-mode 1)
(defun wait-for (count)
  (let ((n 0))
    (while (and (< n 600) (/= count (length (flymake-diagnostics))))
      (setq n (1+ n))
      (eglot--signal-textDocument/didChange) ; idle timers do not run in batch mode
      (accept-process-output nil 0.1)
      (when (= 0 (% n 10)) (flymake-start)))))
(wait-for 2)
(dolist (d (flymake-diagnostics))
  (princ (format "DIAGNOSTIC [%s] %s\n"
                 (buffer-substring (flymake-diagnostic-beg d) (flymake-diagnostic-end d))
                 (flymake-diagnostic-text d))))
(let* ((d (car (sort (flymake-diagnostics)
                     (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))
       (actions (eglot-code-actions (flymake-diagnostic-beg d) (flymake-diagnostic-end d)))
       (pick (getenv "LP_PICK"))
       (action (seq-find (lambda (a) (string-match-p (regexp-quote pick) (plist-get a :title))) actions)))
  (mapc (lambda (a) (princ (format "ACTION %s %s\n" (plist-get a :kind) (plist-get a :title)))) actions)
  (if (fboundp 'eglot-execute)
      (eglot-execute (eglot-current-server) action)
    (eglot--apply-workspace-edit (plist-get action :edit))))
(wait-for (if (string-match-p "Fix all" (getenv "LP_PICK")) 0 1))
(princ (format "LEFT %d\n" (length (flymake-diagnostics))))
(write-region nil nil (concat (getenv "LP_ROOT") "/bad.py"))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
