@echo off
rem Volga Ledger for Windows: double-click this file.
setlocal
title Volga Ledger
cd /d "%~dp0"
if not exist bootstrap.py (
  echo bootstrap.py is not beside this file. Unpack the whole archive, then start from its folder.
  goto stop
)

set "PYTHON="
set "OLDER="
for %%P in ("py -3" "python" "python3") do call :try %%~P
if not defined PYTHON goto missing

%PYTHON% bootstrap.py start %*
if not errorlevel 1 exit /b 0
echo.
echo Volga Ledger has ended; the lines above say why.
goto stop

rem Asks a name whether it is a Python, and new enough. What Windows calls python before one is installed only opens
rem the Store: it can answer nothing, and is passed over.
:try
if defined PYTHON exit /b
%* -c "pass" >nul 2>nul
if errorlevel 1 exit /b
%* -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul
if errorlevel 1 (set "OLDER=%*") else (set "PYTHON=%*")
exit /b

:missing
if defined OLDER echo Volga Ledger needs Python 3.11 or newer, and the Python of this machine is older.
if defined OLDER goto get
where python 2>nul | find /i "WindowsApps" >nul
if errorlevel 1 goto none
echo Volga Ledger needs Python 3.11 or newer. What this machine calls python only opens the Store.
goto get
:none
echo Volga Ledger needs Python 3.11 or newer, and this machine has none.
:get
echo Get it from https://www.python.org/downloads/ and tick "Add python.exe to PATH" as it is installed.
echo Then double-click this file again.

:stop
echo.
pause
exit /b 1
